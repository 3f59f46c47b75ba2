(** * Which elements a bag has

    A proof may define the function that says whether [x] is in a bag ([in_body]), the element that has a property ([chooser]), and
    what a by-key fold accumulates for a key ([bucket]).  [decompose] gives the laws that relate the elements of a bag to those of the bags
    that it is made of. *)
From Tallystick Require Export SetRule Definitions.

(** ** Lists *)
Lemma fold_or (v : val) (p : val -> bool) l : forall b, toB (fold_left (fun m x => VBool (existsb toB [m; VBool (p x)])) l (VBool b)) = b || existsb p l.
Proof.
  induction l as [|x l IH]; intros b; cbn [fold_left existsb]; [now rewrite toB_bool, orb_false_r|].
  rewrite !toB_bool, orb_false_r, IH. now destruct b, (p x).
Qed.
Lemma last_such (p : val -> bool) l : forall d, (exists x, In x l /\ p x = true) ->
  In (fold_left (fun m x => if p x then x else m) l d) l /\ p (fold_left (fun m x => if p x then x else m) l d) = true.
Proof.
  assert (K : forall l d, (In (fold_left (fun m x => if p x then x else m) l d) l /\ p (fold_left (fun m x => if p x then x else m) l d) = true) \/
    fold_left (fun m x => if p x then x else m) l d = d /\ forall x, In x l -> p x = false).
  { clear. intros l. induction l as [|x l IH]; intros d; cbn [fold_left In]; [tauto|]. destruct (IH (if p x then x else d)) as [[A B]|[A B]]; [tauto|].
    destruct (p x) eqn:P; [left; rewrite A; tauto|]. right. split; [auto|]. intros y [<-|Y]; auto. }
  intros d (x & X & P). destruct (K l d) as [|[_ B]]; auto. rewrite (B x X) in P. discriminate.
Qed.
Lemma fold_left_ext_in {A B} (f g : A -> B -> A) l : (forall m x, In x l -> f m x = g m x) -> forall a, fold_left f l a = fold_left g l a.
Proof. induction l as [|x l IH]; cbn; intros H a; auto. rewrite H by auto. apply IH. intros; apply H; auto. Qed.

(** Sorted lists, which the elements of bags are. *)
Inductive ascends : list val -> Prop :=
  | Nothing_ascends : ascends [] | More_ascends v l : Forall (fun w => vleb v w = true) l -> ascends l -> ascends (v :: l).
Lemma sort_ascends l : ascends l -> sort l = l.
Proof.
  induction 1 as [|v l F _ IH]; cbn [sort]; auto. rewrite IH. destruct l as [|w l]; auto. cbn [insert]. inversion F; subst. now rewrite H1.
Qed.
Lemma insert_ascends v l : ascends l -> ascends (insert v l).
Proof.
  induction 1 as [|w l F A IH]; cbn [insert]; [repeat constructor|]. destruct (vleb v w) eqn:E.
  - constructor; [|now constructor]. constructor; auto. eapply Forall_impl; [|exact F]. cbn. intros u. now apply vleb_trans.
  - constructor; auto. apply (Permutation_Forall (insert_perm v l)). constructor; auto. now apply vleb_total.
Qed.
Lemma ascends_sort l : ascends (sort l).
Proof. induction l; cbn; [constructor|]. now apply insert_ascends. Qed.
Lemma ascends_filter p l : ascends l -> ascends (filter p l).
Proof.
  induction 1 as [|v l F A IH]; cbn; [constructor|]. destruct (p v); auto. constructor; auto. rewrite Forall_forall in *. intros w W. apply filter_In in W. apply F. tauto.
Qed.
Lemma ascends_bucket k l : ascends l -> (forall v, In v l -> exists x, v = VTup [k; x]) -> ascends (map (component 1) l).
Proof.
  induction 1 as [|v l F A IH]; intros K; cbn; constructor.
  - apply Forall_map. rewrite Forall_forall in *. intros w W. specialize (F w W). destruct (K v) as (x & ->); [cbn; auto|].
    destruct (K w) as (y & ->); [cbn; auto|]. unfold vleb in *. cbn [component components nth] in *. rewrite vcompare_tup in F. cbn in F. rewrite vcompare_refl in F.
    now destruct (vcompare x y).
  - apply IH. intros w W. apply K. cbn; auto.
Qed.
Lemma bag_elements_ascend b v : has_type v (TBag b) -> ascends (elements v).
Proof. intros H. destruct v; try (cbn in H; tauto). cbn [elements]. apply has_type_bag in H as [_ <-]. apply ascends_sort. Qed.

Section Members.
  Variables (ds : list defined) (G : term).
  Hypothesis OK : definitions_ok ds = true.
  Hypothesis SG : scoped false [] G = true.
  Notation fine := (fine ds G).
  Notation lawful := (lawful ds G).

  (** ** Applications to all parameters, and more *)
  Fixpoint params_from (n : nat) (ts : list ty) : list term := match ts with [] => [] | t :: ts => Var (Any n) t :: params_from (Datatypes.S n) ts end.
  Definition params := params_from 0.
  Lemma params_nth ts : forall n i, nth_error (params_from n ts) i = option_map (fun t => Var (Any (n + i)) t) (nth_error ts i).
  Proof.
    induction ts as [|t ts IH]; intros n [|i]; try reflexivity; cbn [params_from nth_error option_map].
    - now rewrite Nat.add_0_r.
    - rewrite IH. destruct (nth_error ts i); cbn [option_map]; auto. now rewrite Nat.add_succ_r.
  Qed.
  Lemma params_length ts : List.length (params ts) = List.length ts.
  Proof. unfold params. generalize 0%nat. induction ts; cbn; auto. Qed.
  Lemma params_typed ts : typed_as (params ts) ts.
  Proof. unfold params, typed_as. generalize 0%nat. induction ts; cbn; constructor; auto. Qed.
  Lemma typed_as_app a b ts us : typed_as a ts -> typed_as b us -> typed_as (a ++ b) (ts ++ us).
  Proof. apply Forall2_app. Qed.
  Definition apply_to (d : defined) (ts : list ty) (more : list term) := call d (params ts ++ more).
  (** The input in which the body of such a function is evaluated. *)
  Definition inside (r : env) (ts us : list ty) (more : list term) := bound (ts ++ us) (map (meaning r) (params ts ++ more)) r.
  Lemma inside_here calls r ts us more t : typed r -> typed_as more us -> scoped calls ts t = true -> forall e a, eval (inside r ts us more) e a t = eval r e a t.
  Proof.
    intros R M S. apply (scoped_ext _ _ _ _ _ S). intros x u X. destruct x; auto. unfold inside.
    pose proof (values_typed r _ _ R (typed_as_app _ _ _ _ (params_typed ts) M)) as V.
    rewrite (bound_nth _ _ r i u V) by (rewrite nth_error_app1; [exact X|apply nth_error_Some; congruence]).
    rewrite map_app, app_nth1 by (rewrite map_length, params_length; apply nth_error_Some; congruence).
    apply nth_error_nth. rewrite (map_nth_error (meaning r) i (params ts) (d := Var (Any i) u)); auto. unfold params. now rewrite params_nth, X.
  Qed.
  Lemma inside_first r ts u x us more : typed r -> type x = Some u -> typed_as more us -> inside r ts (u :: us) (x :: more) (Any (List.length ts)) u = meaning r x.
  Proof.
    intros R X M. unfold inside. assert (A : typed_as (x :: more) (u :: us)) by now constructor.
    rewrite (bound_nth _ _ r (List.length ts) u (values_typed r _ _ R (typed_as_app _ _ _ _ (params_typed ts) A))).
    - assert (L : List.length (map (meaning r) (params ts)) = List.length ts) by now rewrite map_length, params_length.
      rewrite map_app. cbn [map]. rewrite <- L. now rewrite nth_middle.
    - rewrite nth_error_app2, Nat.sub_diag; auto.
  Qed.
  Lemma call_type d args : In d ds -> typed_as args (takes d) -> type (call d args) = Some (gives d).
  Proof.
    intros J A. unfold call, type. cbn [typeof]. replace (sequence _) with (Some (takes d)); [now rewrite (proj2 (tys_eqb_eq _ _) eq_refl)|]. symmetry.
    clear -A. unfold typed_as in A. induction A; cbn; auto. unfold type in H. now rewrite H, IHA.
  Qed.
  Lemma apply_to_ok r d ts us more : fine r -> In d ds -> takes d = (ts ++ us)%list -> typed_as more us ->
    meaning r (apply_to d ts more) = meaning (inside r ts us more) (body d).
  Proof.
    intros F J T M. assert (A : typed_as (params ts ++ more) (takes d)) by (rewrite T; now apply typed_as_app, M; apply params_typed).
    destruct (call_ok ds G OK r d _ F J A) as [_ E]. unfold apply_to. rewrite E. destruct (body_ok ds OK d J) as [B _].
    destruct (put_ok r _ _ _ _ (fine_typed _ _ _ F) A B) as [_ ->]. now rewrite T.
  Qed.
  Lemma apply_to_type d ts us more : In d ds -> takes d = (ts ++ us)%list -> typed_as more us -> type (apply_to d ts more) = Some (gives d).
  Proof. intros J T M. apply call_type; auto. rewrite T. apply typed_as_app; auto. apply params_typed. Qed.
  (** What a function returns does not depend on what is accumulated. *)
  Lemma no_accumulator ts u f t r e a a' : typed r -> scoped false ts f = true -> typeof (Some u) None f = Some t -> has_type e u -> eval r e a f = eval r e a' f.
  Proof.
    intros R S T E. set (X := Var (Any (List.length ts)) u). set (r' := set r (Any (List.length ts)) u e).
    assert (R' : typed r') by now apply set_typed.
    assert (B : binds r' (Some u) e (Some X)).
    { split; auto. unfold X, meaning; cbn [run]. unfold r', set. now rewrite (proj2 (name_eqb_eq _ _) eq_refl), ty_eqb_refl. }
    assert (V : forall b, eval r e b f = eval r' e b f).
    { intros b. apply (scoped_ext _ _ _ _ _ S). intros x w W. unfold r', set. destruct (name_eqb x _) eqn:Q; auto. apply name_eqb_eq in Q. subst x.
      assert (L : nth_error ts (List.length ts) = None) by now apply nth_error_None. congruence. }
    rewrite (V a), (V a'). destruct (apply_ok r' R' f (Some u) None e a (Some X) None t E I B I T) as [_ <-].
    destruct (apply_ok r' R' f (Some u) None e a' (Some X) None t E I B I T) as [_ <-]. reflexivity.
  Qed.
  Lemma applied f u t x r a : typed r -> type x = Some u -> typeof (Some u) None f = Some t ->
    type (apply (Some x) None f) = Some t /\ meaning r (apply (Some x) None f) = eval r (meaning r x) a f.
  Proof. intros R X T. apply (apply_ok r R f (Some u) None); cbn; auto. now apply typed_meaning. Qed.

  (** ** Functions that are looked for by their bodies *)
  Definition find_defined (ts : list ty) (t : ty) (b : term) : option defined :=
    find (fun d => list_eqb ty_eqb (takes d) ts && ty_eqb (gives d) t && term_eqb (body d) b) ds.
  Lemma found ts t b d : find_defined ts t b = Some d -> In d ds /\ takes d = ts /\ gives d = t /\ body d = b.
  Proof.
    intros F. apply find_some in F as [J E]. rewrite !andb_true_iff in E. destruct E as [[A B] C]. apply tys_eqb_eq in A. apply ty_eqb_eq in B. apply term_eqb_eq in C. auto.
  Qed.
  Definition parameter (ts : list ty) (t : ty) : term := Var (Any (List.length ts)) t.
  Definition in_body (ts : list ty) (t : ty) (b : term) := Op Fold [ff'; Op Or [Acc TBool; Op Equal [Elem t; parameter ts t]]; b].
  Definition member (ts : list ty) (t : ty) (b : term) := find_defined (ts ++ [t]) TBool (in_body ts t b).
  Definition chooser (u : ty) (c b : term) := Op Fold [default_term u; Op Ite [c; Elem u; Acc u]; b].
  Definition bucket (ts : list ty) (k u : ty) (i f b : term) := let pair := Elem (TTup [k; u]) in
    Op Fold [i; f; Op Map [Op (Proj 1) [pair]; Op Filter [Op Equal [Op (Proj 0) [pair]; parameter ts k]; b]]].

  Lemma member_type ts t b d x : member ts t b = Some d -> type x = Some t -> bool_term (apply_to d ts [x]).
  Proof. intros M X. apply found in M as (J & T & Q & _). unfold bool_term. rewrite <- Q. apply (apply_to_type d ts [t]); auto. repeat constructor; auto. Qed.
  Lemma member_ok r ts t b d x : fine r -> scoped false ts b = true -> member ts t b = Some d -> type x = Some t ->
    toB (meaning r (apply_to d ts [x])) = true <-> In (meaning r x) (elements (meaning r b)).
  Proof.
    intros F S M X. apply found in M as (J & T & _ & B). assert (A : typed_as [x] [t]) by (repeat constructor; auto). pose proof (fine_typed _ _ _ F) as R.
    rewrite (apply_to_ok r d ts [t] [x] F J T A), B. unfold in_body, meaning at 1. cbn [run in_order]. fold (meaning (inside r ts [t] [x]) b).
    unfold meaning at 1. rewrite (inside_here false r ts [t] [x] b R A S). fold (meaning r b). unfold parameter. cbn [run map]. rewrite (inside_first r ts t x [] [] R X (Forall2_nil _)).
    change (eval (inside r ts [t] [x]) nothing nothing ff') with (VBool false). rewrite (fold_or (meaning r x) (fun y => veqb y (meaning r x))). cbn [orb]. rewrite existsb_exists. split.
    - intros (y & Y & E). apply veqb_eq in E. now subst.
    - intros I. exists (meaning r x). split; auto. apply veqb_refl.
  Qed.
  Lemma chooser_ok r ts us more d u c b p : fine r -> In d ds -> takes d = (ts ++ us)%list -> body d = chooser u c b -> typed_as more us -> scoped false ts b = true ->
    (forall x m, In x (elements (meaning r b)) -> toB (eval (inside r ts us more) x m c) = p x) -> (exists x, In x (elements (meaning r b)) /\ p x = true) ->
    In (meaning r (apply_to d ts more)) (elements (meaning r b)) /\ p (meaning r (apply_to d ts more)) = true.
  Proof.
    intros F J T B A S P Q. rewrite (apply_to_ok r d ts us more F J T A), B. unfold chooser, meaning at 1 3. cbn [run in_order].
    rewrite (inside_here false r ts us more b (fine_typed _ _ _ F) A S). fold (meaning r b).
    rewrite (fold_left_ext_in _ (fun m x => if p x then x else m)); [now apply last_such|]. intros m x X. now rewrite P.
  Qed.
  Lemma bucket_ok r ts k u i f b d x : fine r -> In d ds -> takes d = (ts ++ [k])%list -> body d = bucket ts k u i f b -> type x = Some k ->
    scoped false ts b = true -> scoped false ts i = true -> scoped false ts f = true -> type b = Some (TBag (TTup [k; u])) ->
    meaning r (apply_to d ts [x]) = fold_left (fun m y => eval r y m f) (map (component 1) (filter (fun p => veqb (component 0 p) (meaning r x)) (elements (meaning r b)))) (meaning r i).
  Proof.
    intros F J T B X SB SI SF TB. assert (A : typed_as [x] [k]) by (repeat constructor; auto). pose proof (fine_typed _ _ _ F) as R.
    rewrite (apply_to_ok r d ts [k] [x] F J T A), B. unfold bucket, meaning at 1. cbn [run in_order]. unfold parameter. cbn [run].
    rewrite (inside_first r ts k x [] [] R X (Forall2_nil _)). rewrite (inside_here false r ts [k] [x] b R A SB), (inside_here false r ts [k] [x] i R A SI).
    fold (meaning r b) (meaning r i). pose proof (typed_meaning r b _ R TB) as TV. pose proof (has_type_elements _ _ TV) as EV. rewrite Forall_forall in EV.
    set (l := elements (meaning r b)) in *. set (v := meaning r x).
    assert (E1 : filter (fun y => toB (VBool (veqb (component 0 y) v))) l = filter (fun p => veqb (component 0 p) v) l) by (apply filter_ext; intros; apply toB_bool).
    rewrite E1. assert (AL : ascends l) by (eapply bag_elements_ascend; eauto). pose proof (ascends_filter (fun p => veqb (component 0 p) v) l AL) as AF.
    cbn [elements bag]. rewrite (sort_ascends _ AF). change (fun y : val => component 1 y) with (component 1). rewrite sort_ascends.
    - apply fold_left_ext_in. intros m y _. now apply inside_here with (calls := false).
    - apply (ascends_bucket v); auto. intros w W. apply filter_In in W as [W1 W2]. apply veqb_eq in W2. specialize (EV w W1).
      destruct w as [| | | | |[|k0 [|u0 []]]|]; cbn in EV; try tauto. exists u0. cbn in W2. now subst.
  Qed.
End Members.
