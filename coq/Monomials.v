(** * Monomials (core/monomials.py)

    A bag expression is the union, over its monomials and over all choices of an element for each slot, of what the monomial makes
    of these elements ([monos_ok]). *)
From Tallystick Require Export Refutation.

Definition slot := (name * ty * nat)%type.
Definition is_slot (x : name) := match x with S _ _ => true | _ => false end.
(** Names that a rule may introduce for a value. *)
Definition stands (x : name) := negb (is_slot x || is_app x).
Lemma stands_slot x : stands x = true -> is_slot x = false.
Proof. now destruct x. Qed.
Lemma stands_app x : stands x = true -> is_app x = false.
Proof. now destruct x. Qed.
Record mono := { slots : list slot; present : term; result : term }.
Definition slot_name (s : slot) := S (fst (fst s)) (snd s).
Definition slot_type (s : slot) := snd (fst s).
Definition same_bag (x : name) (t : ty) (s : slot) := name_eqb (fst (fst s)) x && ty_eqb (slot_type s) t.

Fixpoint plain (t : term) : bool :=
  match t with Var x _ => negb (is_slot x) | Op _ args => forallb plain args | _ => true end.

Definition bind {A B} (o : option A) (f : A -> option B) := match o with Some x => f x | None => None end.
(** Slots in [taken] stand beside; those of the monomials are new.  In a product, the second factor leaves the first alone. *)
Fixpoint monos (taken : list slot) (e : term) : option (list mono) :=
  match e with
  | Var x (TBag t) =>
      let i := List.length (filter (same_bag x t) taken) in
      Some [{| slots := [(x, t, i)]; present := tt'; result := Var (S x i) t |}]
  | Op Map [f; b] =>
      bind (monos taken b) (fun ms =>
      Some (map (fun m => {| slots := slots m; present := present m; result := apply (Some (result m)) None f |}) ms))
  | Op Filter [f; b] =>
      bind (monos taken b) (fun ms =>
      Some (map (fun m => {| slots := slots m; present := conj [present m; apply (Some (result m)) None f]; result := result m |}) ms))
  | Op Cartesian [b; c] =>
      bind (monos taken b) (fun ls =>
      bind (sequence (map (fun l => bind (monos (taken ++ slots l) c) (fun ms =>
          if forallb (fun m => forallb (fun s => negb (occurs (slot_name s) (present l) || occurs (slot_name s) (result l))) (slots m)) ms
          then Some (l, ms) else None)) ls)) (fun pairs =>
      Some (flat_map (fun lms => map (fun m => {| slots := slots (fst lms) ++ slots m;
          present := conj [present (fst lms); present m]; result := Op Tuple [result (fst lms); result m] |}) (snd lms)) pairs)))
  | Op Union [b; c] => bind (monos taken b) (fun ls => bind (monos taken c) (fun ms => Some (ls ++ ms)))
  | _ => None
  end.

(** Environments with values for slots. *)
Definition set (r : env) (x : name) (t : ty) (v : val) : env := fun y u => if name_eqb y x && ty_eqb u t then v else r y u.
Fixpoint assign (r0 r : env) (ss : list slot) : list env :=
  match ss with
  | [] => [r]
  | s :: ss => flat_map (fun v => assign r0 (set r (slot_name s) (slot_type s) v) ss) (elements (r0 (fst (fst s)) (TBag (slot_type s))))
  end.
Definition out (r : env) (m : mono) : list val := if toB (meaning r (present m)) then [meaning r (result m)] else [].
Definition outs (r0 r : env) (m : mono) : list val := flat_map (fun r => out r m) (assign r0 r (slots m)).
Definition agree (r0 r : env) := forall x k, is_slot x = false -> r x k = r0 x k.

Lemma eval_ext r r' t : (forall x k, uses x k t = true -> r x k = r' x k) -> forall e a, eval r e a t = eval r' e a t.
Proof.
  induction t using term_ind'; intros V e a; try reflexivity.
  - cbn. apply V. cbn. now rewrite (proj2 (name_eqb_eq _ _) eq_refl), ty_eqb_refl.
  - cbn [uses] in V.
    assert (X : forall x, In x args -> forall e a, eval r e a x = eval r' e a x).
    { rewrite Forall_forall in H. intros x X; apply H; auto. intros; apply V. apply orb_true_iff. right. apply existsb_exists; eauto. }
    assert (SF : applies o = true -> same_functions r r') by (intros A f ts vs k; apply V; now rewrite A).
    assert (M : forall e a, map (eval r e a) args = map (eval r' e a) args) by (intros; apply map_ext_in; auto).
    assert (FO : forall f, In f args -> forall l m, fold_left (fun m x => eval r x m f) l m = fold_left (fun m x => eval r' x m f) l m).
    { intros f F l; induction l; cbn; auto. intros; rewrite X; auto. }
    clear H V.
    destruct o; cbn [run in_order]; rewrite ?M; auto; try (now apply SF); destruct args as [|x [|y [|z [|]]]]; auto; cbn [In] in *;
      rewrite ?(X x), ?(X y), ?(X z) by tauto; auto.
    + f_equal. apply map_ext. intros; apply X; auto.
    + f_equal. apply filter_ext. intros; f_equal. apply X; auto.
    + f_equal. rewrite !flat_map_concat_map. f_equal. apply map_ext. intros v. rewrite (X x) by tauto. now rewrite (SF eq_refl).
    + f_equal. apply filter_ext. intros v. now rewrite (X x) by tauto.
    + f_equal. apply map_ext. intros. do 3 f_equal. apply FO. auto.
Qed.
Lemma meaning_ext r r' t : (forall x k, uses x k t = true -> r x k = r' x k) -> meaning r t = meaning r' t.
Proof. intros; now apply eval_ext. Qed.
Lemma plain_occurs t x : plain t = true -> forall k, uses x k t = true -> is_slot x = false.
Proof.
  intros P k; revert P; induction t using term_ind'; cbn; try discriminate.
  - rewrite andb_true_iff, name_eqb_eq. intros P [<- _]. now apply negb_true_iff.
  - rewrite orb_true_iff, forallb_forall, existsb_exists. intros P [A|(y & Y & O)]; [apply andb_true_iff in A as [_ A]; now destruct x|]. rewrite Forall_forall in H. eauto.
Qed.
Lemma plain_meaning r0 r t : agree r0 r -> plain t = true -> meaning r t = meaning r0 t.
Proof. intros A P. apply meaning_ext. intros. apply A. eapply plain_occurs; eauto. Qed.
Lemma set_typed r x t v : typed r -> has_type v t -> typed (set r x t v).
Proof.
  intros R V y u. unfold set. destruct (name_eqb y x && ty_eqb u t) eqn:E; auto.
  apply andb_true_iff in E as [_ E]. apply ty_eqb_eq in E. congruence.
Qed.
Lemma assign_spec r0 ss : typed r0 -> forall r, typed r -> agree r0 r -> forall r', In r' (assign r0 r ss) ->
  typed r' /\ agree r0 r' /\ forall y u, existsb (fun s => name_eqb (slot_name s) y) ss = false -> r' y u = r y u.
Proof.
  intros R0. induction ss as [|s ss IH]; cbn [assign]; intros r R A r'; [intros [<-|[]]; auto|].
  rewrite in_flat_map. intros (v & V & I). 
  assert (has_type v (slot_type s)).
  { pose proof (has_type_elements _ _ (R0 (fst (fst s)) (TBag (slot_type s)))) as F. rewrite Forall_forall in F. auto. }
  apply IH in I as (T & A' & N); auto using set_typed.
  - repeat split; auto. intros y u. cbn [existsb]. rewrite orb_false_iff. intros [E F]. rewrite N by auto. unfold set.
    destruct (name_eqb y (slot_name s)) eqn:Q; auto. apply name_eqb_eq in Q. subst.
    rewrite (proj2 (name_eqb_eq _ _) eq_refl) in E. discriminate.
  - intros y u U. unfold set. destruct (name_eqb y (slot_name s)) eqn:Q; [|apply A; auto]. apply name_eqb_eq in Q; subst. discriminate.
Qed.
Lemma assign_app r0 ss ss' r : assign r0 r (ss ++ ss') = flat_map (fun r => assign r0 r ss') (assign r0 r ss).
Proof.
  revert r; induction ss as [|s ss IH]; cbn [assign app]; intros; [cbn; now rewrite app_nil_r|].
  induction (elements _) as [|v l IHl]; cbn [flat_map]; auto. rewrite IHl, IH. now rewrite flat_map_app.
Qed.
Lemma flat_map_flat_map {A B C} (f : B -> list C) (g : A -> list B) l : flat_map f (flat_map g l) = flat_map (fun x => flat_map f (g x)) l.
Proof. induction l; cbn; auto. now rewrite flat_map_app, IHl. Qed.
Lemma flat_map_both {A B} (f g : A -> list B) l : Permutation (flat_map (fun x => f x ++ g x) l) (flat_map f l ++ flat_map g l).
Proof.
  induction l as [|x l IH]; cbn; auto. rewrite <- !app_assoc. apply Permutation_app_head.
  etransitivity; [apply Permutation_app_head, IH|]. rewrite !app_assoc. apply Permutation_app_tail, Permutation_app_comm.
Qed.
Lemma flat_map_nil {A B} (l : list A) : flat_map (fun _ => @nil B) l = [].
Proof. induction l; auto. Qed.
Lemma flat_map_swap {A B C} (f : A -> B -> list C) l k :
  Permutation (flat_map (fun x => flat_map (f x) k) l) (flat_map (fun y => flat_map (fun x => f x y) l) k).
Proof.
  revert k; induction l as [|x l IH]; cbn; intros k; [now rewrite flat_map_nil|].
  etransitivity; [apply Permutation_app_head, IH|]. symmetry. apply flat_map_both.
Qed.
Lemma flat_map_same {A B} (f g : A -> list B) l : (forall x, In x l -> Permutation (f x) (g x)) -> Permutation (flat_map f l) (flat_map g l).
Proof. intros; now apply Permutation_flat_map'. Qed.
Lemma flat_map_out {A B} (p : A -> bool) (g : A -> B) l :
  flat_map (fun x => if p x then [g x] else []) l = map g (filter p l).
Proof. induction l as [|x l IH]; cbn; auto. rewrite IH. destruct (p x); auto. Qed.
Lemma map_flat_map {A B C} (f : B -> C) (g : A -> list B) l : map f (flat_map g l) = flat_map (fun x => map f (g x)) l.
Proof. induction l; cbn; auto. now rewrite map_app, IHl. Qed.
Lemma filter_flat_map {A B} (f : B -> bool) (g : A -> list B) l : filter f (flat_map g l) = flat_map (fun x => filter f (g x)) l.
Proof. induction l; cbn; auto. now rewrite filter_app, IHl. Qed.

Lemma flat_map_perm {A B} (f : A -> list B) l l' : Permutation l l' -> Permutation (flat_map f l) (flat_map f l').
Proof. intros P. now apply Permutation_flat_map'. Qed.
Lemma flat_map_map {A B C} (f : B -> list C) (g : A -> B) l : flat_map f (map g l) = flat_map (fun x => f (g x)) l.
Proof. induction l; cbn; auto. now rewrite IHl. Qed.

Definition well (t : ty) (m : mono) := type (result m) = Some t /\ type (present m) = Some TBool.
Lemma conj_ok r p q : typed r -> type p = Some TBool -> type q = Some TBool ->
  type (conj [p; q]) = Some TBool /\ toB (meaning r (conj [p; q])) = toB (meaning r p) && toB (meaning r q).
Proof.
  intros R P Q. assert (T : type (Op And [p; q]) = Some TBool) by (unfold type in *; cbn; now rewrite P, Q).
  destruct (mk_ok None None r nothing nothing R I I And _ _ T) as [E1 E2]. split; [exact E1|].
  unfold meaning, conj. rewrite E2. cbn [run in_order map forallb]. now rewrite toB_bool, andb_true_r.
Qed.
Lemma sequence_all {A B} (f : A -> option B) l k : sequence (map f l) = Some k -> Forall2 (fun x y => f x = Some y) l k.
Proof.
  revert k; induction l as [|x l IH]; cbn; intros k E; [inversion E; constructor|].
  destruct (f x) eqn:F; [|discriminate]. destruct (sequence _); [|discriminate]. inversion E; subst. constructor; auto.
Qed.
Definition default_env : env := fun _ => default.
Lemma default_env_typed : typed default_env. Proof. intros ? ?. apply default_typed. Qed.

Theorem monos_ok : forall e taken ms t, monos taken e = Some ms -> type e = Some (TBag t) -> plain e = true ->
  Forall (well t) ms /\ forall r0 r, typed r0 -> typed r -> agree r0 r ->
    Permutation (elements (meaning r e)) (flat_map (outs r0 r) ms).
Proof.
  induction e using term_ind'; intros taken ms ty M T P; cbn [monos] in M; try discriminate.
  - destruct t; try discriminate. inversion M; subst; clear M. unfold type in T; cbn in T. inversion T; subst. split.
    + repeat constructor.
    + intros r0 r R0 R A. generalize (List.length (filter (same_bag x ty) taken)) as i. intros i.
      cbn [flat_map]. rewrite app_nil_r. unfold meaning, outs; cbn [run in_order slots assign fst snd slot_type].
      rewrite A by (cbn in P; now apply negb_true_iff). rewrite flat_map_flat_map.
      induction (elements (r0 x (TBag ty))) as [|v l IH]; cbn [flat_map]; auto. rewrite app_nil_r.
      unfold out at 1, meaning; cbn [present result run in_order tt' toB toZ Z.b2z]. change (1 <=? 1) with true. cbn [app].
      unfold set at 1, slot_name; cbn [fst snd]. rewrite (proj2 (name_eqb_eq _ _) eq_refl), ty_eqb_refl. constructor. exact IH.
  - destruct o; try discriminate; destruct args as [|x [|y [|]]]; try discriminate; cbn [plain forallb] in P;
      rewrite ?andb_true_iff in P; destruct P as (Px & Py & _); apply Forall_cons_iff in H as [IHx H]; apply Forall_cons_iff in H as [IHy _];
      unfold type in T; cbn [typeof] in T; fold (type x) in T; fold (type y) in T.
    + (* map *) destruct (monos taken y) as [ls|] eqn:E; [|discriminate]. cbn [bind] in M. inversion M; subst; clear M.
      destruct (type y) as [[| | | | |k]|] eqn:Ty; try discriminate. destruct (typeof (Some k) None x) as [u|] eqn:Tx; [|discriminate].
      inversion T; subst; clear T. destruct (IHy _ _ _ E eq_refl Py) as [W S]. split.
      * apply Forall_map. eapply Forall_impl; [|exact W]. intros m [W1 W2]. split; auto. cbn [result].
        eapply (apply_ok default_env default_env_typed x (Some k) None (meaning default_env (result m)) nothing); cbn; auto.
        eapply preservation; eauto using default_env_typed; cbn; auto.
      * intros r0 r R0 R A. unfold meaning; cbn [run in_order]. etransitivity; [apply elements_bag|].
        etransitivity; [apply Permutation_map, (S r0 r R0 R A)|]. rewrite map_flat_map, flat_map_map.
        apply flat_map_same. intros m Hm. rewrite Forall_forall in W. destruct (W m Hm) as [W1 W2].
        unfold outs. cbn [slots]. rewrite map_flat_map. apply flat_map_same. intros r' R'.
        apply assign_spec in R' as (R' & A' & _); auto. unfold out. cbn [present result].
        destruct (toB _); cbn; auto. 
        destruct (apply_ok r' R' x (Some k) None (meaning r' (result m)) nothing (Some (result m)) None ty) as [_ Q]; cbn; auto.
        { eapply preservation; eauto; cbn; auto. }
        rewrite Q. erewrite eval_ext; [reflexivity|]. intros z w Z. rewrite A, A' by exact (plain_occurs _ _ Px _ Z). reflexivity.
    + (* filter *) destruct (monos taken y) as [ls|] eqn:E; [|discriminate]. cbn [bind] in M. inversion M; subst; clear M.
      destruct (type y) as [[| | | | |k]|] eqn:Ty; try discriminate. destruct (is (typeof (Some k) None x) TBool) eqn:Tx; [|discriminate].
      apply is_eq in Tx. inversion T; subst; clear T. destruct (IHy _ _ _ E eq_refl Py) as [W S].
      assert (Q : forall r' m, typed r' -> well ty m -> type (apply (Some (result m)) None x) = Some TBool /\
                  meaning r' (apply (Some (result m)) None x) = eval r' (meaning r' (result m)) nothing x).
      { intros r' m R' [W1 W2]. apply (apply_ok r' R' x (Some ty) None _ nothing); cbn; auto. eapply preservation; eauto; cbn; auto. }
      split.
      * apply Forall_map. eapply Forall_impl; [|exact W]. intros m W'. destruct (Q _ m default_env_typed W') as [Q1 Q2]. destruct W'.
        split; auto. cbn [present]. eapply conj_ok; eauto using default_env_typed.
      * intros r0 r R0 R A. unfold meaning; cbn [run in_order]. etransitivity; [apply elements_bag|].
        etransitivity; [apply Permutation_filter, (S r0 r R0 R A)|]. rewrite filter_flat_map, flat_map_map.
        apply flat_map_same. intros m Hm. rewrite Forall_forall in W. destruct (W m Hm) as [W1 W2].
        unfold outs. cbn [slots]. rewrite filter_flat_map. apply flat_map_same. intros r' R'.
        apply assign_spec in R' as (R' & A' & _); auto. unfold out. cbn [present result].
        destruct (Q r' m R' (Logic.conj W1 W2)) as [Q1 Q2]. destruct (conj_ok r' _ _ R' W2 Q1) as [_ ->]. rewrite Q2.
        destruct (toB (meaning r' (present m))); cbn; auto.
        erewrite (eval_ext r r'); [destruct (toB _); auto|]. intros z w Z. rewrite A, A' by exact (plain_occurs _ _ Px _ Z). reflexivity.
    + (* cartesian *) destruct (monos taken x) as [ls|] eqn:E; [|discriminate]. cbn [bind] in M.
      destruct (sequence _) as [pairs|] eqn:Q; [|discriminate]. cbn [bind] in M. inversion M; subst; clear M.
      destruct (type x) as [[| | | | |k]|] eqn:Tx; try discriminate. destruct (type y) as [[| | | | |u]|] eqn:Ty; try discriminate.
      inversion T; subst; clear T. destruct (IHx _ _ _ E eq_refl Px) as [W S]. apply sequence_all in Q.
      assert (PS : Forall (fun lms => Forall (well u) (snd lms) /\
        (forall m s, In m (snd lms) -> In s (slots m) -> occurs (slot_name s) (present (fst lms)) = false /\ occurs (slot_name s) (result (fst lms)) = false) /\
        (forall r0 r, typed r0 -> typed r -> agree r0 r -> Permutation (elements (meaning r y)) (flat_map (outs r0 r) (snd lms)))) pairs /\ map fst pairs = ls).
      { clear -Q IHy Py. split.
        - induction Q as [|l lms ls' pairs' F _ IH]; constructor; auto. destruct (monos (taken ++ slots l) y) as [ms|] eqn:E; [|discriminate].
          cbn [bind] in F. destruct (forallb _ ms) eqn:B; [|discriminate]. inversion F; subst; clear F. cbn [fst snd].
          destruct (IHy _ _ _ E eq_refl Py) as [W S]. repeat split; auto; intros; rewrite forallb_forall in B; specialize (B m H); rewrite forallb_forall in B;
          specialize (B s H0); rewrite negb_true_iff, orb_false_iff in B; tauto.
        - induction Q as [|l lms ls' pairs' F _ IH]; cbn; auto. destruct (monos (taken ++ slots l) y) as [ms|] eqn:E; [|discriminate].
          cbn [bind] in F. destruct (forallb _ ms); [|discriminate]. inversion F; subst. reflexivity. }
      destruct PS as [PS <-]. clear Q E. rewrite Forall_forall in PS. split.
      * apply Forall_forall. intros m Hm. apply in_flat_map in Hm as (lms & L & Hm). apply in_map_iff in Hm as (m' & <- & Hm).
        destruct (PS _ L) as (W' & _ & _). rewrite Forall_forall in W, W'. destruct (W' _ Hm) as [W1 W2].
        destruct (W (fst lms)) as [W3 W4]; [now apply in_map|]. split; cbn [result present].
        -- unfold type in *. cbn. now rewrite W3, W1.
        -- eapply conj_ok; eauto using default_env_typed.
      * intros r0 r R0 R A. unfold meaning; cbn [run in_order]. etransitivity; [apply elements_bag|].
        etransitivity; [apply flat_map_perm, (S r0 r R0 R A)|].
        rewrite !flat_map_flat_map. rewrite flat_map_map.
        apply flat_map_same. intros lms L. destruct (PS _ L) as (W' & D & S').
        destruct (proj1 (Forall_forall _ _) W (fst lms) (in_map fst _ _ L)) as [W3 W4].
        unfold outs at 1. rewrite flat_map_flat_map. rewrite flat_map_map.
        unfold outs. cbn [slots]. 
        set (comb := fun m => {| slots := slots (fst lms) ++ slots m; present := conj [present (fst lms); present m];
                                 result := Op Tuple [result (fst lms); result m] |}).
        transitivity (flat_map (fun r1 => flat_map (fun m => flat_map (fun r2 => out r2 (comb m)) (assign r0 r1 (slots m))) (snd lms))
                               (assign r0 r (slots (fst lms)))).
        2: { symmetry. transitivity (flat_map (fun m => flat_map (fun r1 => flat_map (fun r2 => out r2 (comb m)) (assign r0 r1 (slots m)))
                                                          (assign r0 r (slots (fst lms)))) (snd lms)); [|apply flat_map_swap].
             apply flat_map_same. intros m _. rewrite assign_app, flat_map_flat_map. reflexivity. }
        apply flat_map_same. intros r1 R1.
        apply assign_spec in R1 as (R1 & A1 & _); auto. 
        assert (Y : eval r nothing nothing y = meaning r1 y).
        { apply meaning_ext. intros z w Z. rewrite A, A1 by exact (plain_occurs _ _ Py _ Z). reflexivity. }
        rewrite Y. unfold out at 1.
        assert (G : forall m, In m (snd lms) -> forall r2, In r2 (assign r0 r1 (slots m)) ->
          out r2 (comb m) =
          if toB (meaning r1 (present (fst lms))) then map (fun v => VTup [meaning r1 (result (fst lms)); v]) (out r2 m) else []).
        { intros m Hm r2 R2. apply assign_spec in R2 as (R2 & A2 & N); auto. rewrite Forall_forall in W'. destruct (W' _ Hm) as [W1 W2].
          assert (U : forall z, (forall s, In s (slots m) -> occurs (slot_name s) z = false) -> meaning r2 z = meaning r1 z).
          { intros z F. apply meaning_ext. intros n w Z. apply N. apply not_true_is_false. intros C. apply existsb_exists in C as (s & I & C).
            apply name_eqb_eq in C. subst. apply uses_occurs in Z. rewrite F in Z; auto; discriminate. }
          unfold out, comb. cbn [present result]. destruct (conj_ok r2 _ _ R2 W4 W2) as [_ ->].
          rewrite (U (present (fst lms))) by (intros; eapply D; eauto). destruct (toB (meaning r1 _)); cbn [andb]; auto.
          destruct (toB _); auto. cbn [map]. unfold meaning at 1. cbn [run in_order map]. fold (meaning r2 (result (fst lms))) (meaning r2 (result m)).
          rewrite (U (result (fst lms))) by (intros; eapply D; eauto). reflexivity. }
        transitivity (flat_map (fun m => flat_map (fun r2 => if toB (meaning r1 (present (fst lms)))
            then map (fun v => VTup [meaning r1 (result (fst lms)); v]) (out r2 m) else []) (assign r0 r1 (slots m))) (snd lms)).
        2: { apply flat_map_same; intros m Hm; apply flat_map_same; intros r2 R2; rewrite (G m Hm r2 R2); reflexivity. }
        destruct (toB (meaning r1 (present (fst lms)))).
        -- cbn [flat_map]. rewrite app_nil_r. etransitivity; [apply Permutation_map, (S' r0 r1 R0 R1 A1)|].
           rewrite map_flat_map. apply flat_map_same. intros m _. unfold outs. now rewrite map_flat_map.
        -- cbn [flat_map]. rewrite (flat_map_ext _ (fun _ => [])); [now rewrite flat_map_nil|]. intros; apply flat_map_nil.
    + (* union *) destruct (monos taken x) as [ls|] eqn:E; [|discriminate]. destruct (monos taken y) as [ks|] eqn:F; [|discriminate].
      cbn [bind] in M. inversion M; subst; clear M. destruct (type x) as [[| | | | |k]|] eqn:Tx; try discriminate.
      destruct (is (type y) (TBag k)) eqn:Ty; [|discriminate]. apply is_eq in Ty. inversion T; subst; clear T.
      destruct (IHx _ _ _ E eq_refl Px) as [W S]. destruct (IHy _ _ _ F Ty Py) as [W' S']. split; [apply Forall_app; auto|].
      intros r0 r R0 R A. unfold meaning; cbn [run in_order]. etransitivity; [apply elements_bag|]. rewrite flat_map_app.
      apply Permutation_app; [exact (S r0 r R0 R A)|exact (S' r0 r R0 R A)].
Qed.
