(** * Every run returns the same: folds have one value

    The rules reason about one run, [in_order], in which folds take their elements in ascending order.  Here is why other runs
    return the same: every fold of the program carries a proof that it has one value, whatever the order of its elements
    ([takes_any_order]) and, where a function merges them, whatever its parts ([takes_any_parts]). *)
From Tallystick Require Export FoldRule.

(** The folds of a term, and those of its parts alone. *)
Fixpoint folds (t : term) : list term := match t with
  | Op o args => flat_map folds args ++ match o with Fold | FoldByKey => [t] | _ => [] end
  | _ => []
  end.
Definition folds_inside (t : term) : list term := match t with Op _ args => flat_map folds args | _ => [] end.
(** The values that a by-key fold takes for the key [k]. *)
Definition values_of_key (k : val) (pairs : list val) : list val :=
  map (component 1) (filter (fun p => veqb (component 0 p) k) pairs).

(** What [how] returns for [t] is what the run in order returns. *)
Definition one_result (how : cluster) (r : env) (t : term) : Prop := match t with
  | Op Fold [i; f; b] => forall g, (forall m x, g m x = eval r x m f) ->
      how t g (meaning r i) (elements (meaning r b)) = meaning r t
  | Op FoldByKey [i; f; b] => forall g k, (forall m x, g m x = eval r x m f) -> In k (map (component 0) (elements (meaning r b))) ->
      how t g (meaning r i) (values_of_key k (elements (meaning r b))) =
      fold_left (fun m x => eval r x m f) (values_of_key k (elements (meaning r b))) (meaning r i)
  | _ => True
  end.

Theorem runs_alike how r t : Forall (one_result how r) (folds t) -> forall e a, run how r e a t = eval r e a t.
Proof.
  induction t using term_ind'; intros O e a; try reflexivity. cbn [folds] in O. apply Forall_app in O as [O1 O2].
  assert (X : forall x, In x args -> forall e a, run how r e a x = eval r e a x).
  { rewrite Forall_forall in H. intros x I. apply H; auto. rewrite Forall_forall in O1. apply Forall_forall. intros y Y. apply O1, in_flat_map. eauto. }
  assert (M : forall e a, map (run how r e a) args = map (eval r e a) args) by (intros; apply map_ext_in; auto).
  clear H O1.
  destruct o; cbn [run]; rewrite ?M; auto; destruct args as [|x [|y [|z [|]]]]; auto; cbn [In] in *;
    rewrite ?(X x), ?(X y), ?(X z) by tauto; auto.
  - f_equal. apply map_ext. intros; apply X; auto.
  - f_equal. apply filter_ext. intros; f_equal. apply X; auto.
  - f_equal. rewrite !flat_map_concat_map. f_equal. apply map_ext. intros v. now rewrite (X x) by tauto.
  - f_equal. apply filter_ext. intros v. now rewrite (X x) by tauto.
  - inversion O2 as [|? ? O _]; subst. apply O. intros; apply X; auto.
  - inversion O2 as [|? ? O _]; subst. cbn [in_order]. f_equal. apply map_ext_in. intros k K. do 3 f_equal.
    apply (proj1 (dedup_in _ _)) in K. apply (O _ k); auto.
Qed.

Lemma fold_left_same {A B} (f g : A -> B -> A) l : (forall a b, f a b = g a b) -> forall a, fold_left f l a = fold_left g l a.
Proof. intros E. induction l as [|x l IH]; cbn; intros a; auto. now rewrite E. Qed.
Lemma in_parts_same f g merge m z l v : (forall a x, f a x = g a x) -> (forall a b, merge a b = m a b) ->
  in_parts f merge z l v -> in_parts g m z l v.
Proof.
  intros E F P. induction P as [l N|l k a b _ IHa _ IHb].
  - rewrite (fold_left_same f g l E). now constructor.
  - rewrite F. now constructor.
Qed.

(** ** Any order, any parts *)
Definition takes_any_order (r : env) (t : term) : Prop := match t with
  | Op Fold [i; f; b] => forall l, Permutation (elements (meaning r b)) l ->
      fold_left (fun m x => eval r x m f) l (meaning r i) = meaning r t
  | Op FoldByKey [i; f; b] => forall k l, Permutation (values_of_key k (elements (meaning r b))) l ->
      fold_left (fun m x => eval r x m f) l (meaning r i) =
      fold_left (fun m x => eval r x m f) (values_of_key k (elements (meaning r b))) (meaning r i)
  | _ => True
  end.
Definition takes_any_parts (r : env) (merge t : term) : Prop := let g m part := eval r part m merge in match t with
  | Op Fold [i; f; b] => forall parts, Permutation (elements (meaning r b)) (List.concat parts) ->
      fold_left g (map (fun part => fold_left (fun m x => eval r x m f) part (meaning r i)) parts) (meaning r i) = meaning r t
  | Op FoldByKey [i; f; b] => forall k l v, Permutation (values_of_key k (elements (meaning r b))) l ->
      in_parts (fun m x => eval r x m f) g (meaning r i) l v ->
      v = fold_left (fun m x => eval r x m f) (values_of_key k (elements (meaning r b))) (meaning r i)
  | _ => True
  end.
(** One value, by the function that merges parts if there is one. *)
Definition has_one_value (r : env) (t : term) (merge : option term) : Prop := match merge with
  | None => takes_any_order r t | Some g => takes_any_parts r g t end.

Lemma value_present k pairs : In k (map (component 0) pairs) -> values_of_key k pairs <> [].
Proof.
  intros I. apply in_map_iff in I as (p & <- & I). unfold values_of_key. intros E.
  assert (J : In p (filter (fun q => veqb (component 0 q) (component 0 p)) pairs)) by (apply filter_In; split; auto using veqb_refl).
  destruct (filter _ pairs); [destruct J|discriminate].
Qed.
Lemma one_result_of how r t :
  (forall f z l, exists merge, has_one_value r t merge /\ (forall g, merge = Some g -> forall e a, run how r e a g = eval r e a g) /\
    may_return t f (merging how r merge) z l (how t f z l)) -> one_result how r t.
Proof.
  intros C. destruct t as [| | | | | |o args]; try exact I. destruct o; try exact I; destruct args as [|i [|f [|b [|]]]]; try exact I.
  - intros g E. destruct (C g (meaning r i) (elements (meaning r b))) as (merge & O & G & l & P & H). destruct merge as [m|]; cbn [merging option_map] in H.
    + destruct H as (parts & <- & ->). rewrite (fold_left_same _ (fun a part => eval r part a m)) by (intros; now apply G).
      rewrite (map_ext _ (fun part => fold_left (fun m x => eval r x m f) part (meaning r i))) by (intros; now apply fold_left_same). now apply O.
    + rewrite H, (fold_left_same g _ l E). now apply O.
  - intros g k E K. destruct (C g (meaning r i) (values_of_key k (elements (meaning r b)))) as (merge & O & G & l & P & H).
    destruct merge as [m|]; cbn [merging option_map] in H.
    + destruct H as [H|H]; [now apply value_present in K|]. apply (O k l); auto. eapply in_parts_same; [| |exact H]; auto. intros; now apply G.
    + rewrite H, (fold_left_same g _ l E). now apply O.
Qed.

(** ** Programs *)

(** The ways in which a program's folds are computed: those listed, and any order for the others that it has. *)
Definition listed (p : program) (t : term) : bool := existsb (term_eqb t) (map fst (merges p)).
Definition all_folds (p : program) : list term := folds (expression p) ++ flat_map (fun tm => folds (fst tm)) (merges p).
Definition ways (p : program) : list (term * option term) :=
  merges p ++ map (fun t => (t, None)) (filter (fun t => negb (listed p t)) (all_folds p)).
(** The folds inside a function that merges are folds inside the fold itself. *)
Definition merges_ok (p : program) : bool := forallb (fun tm => match snd tm with
  | Some g => forallb (fun u => existsb (term_eqb u) (folds_inside (fst tm))) (folds g) | None => true end) (merges p).

Fixpoint size (t : term) : nat := match t with Op _ args => Datatypes.S (list_sum (map size args)) | _ => 1 end.
Lemma size_arg o args x : In x args -> (size x < size (Op o args))%nat.
Proof.
  intros I. cbn [size]. induction args as [|y l IH]; [destruct I|]. unfold list_sum in *. cbn [map fold_right]. destruct I as [->|I]; [lia|]. specialize (IH I). lia.
Qed.
Lemma folds_size u t : In u (folds t) -> (size u <= size t)%nat.
Proof.
  induction t using term_ind'; cbn [folds]; try (intros []; fail). intros I. apply in_app_or in I as [I|I].
  - apply in_flat_map in I as (x & X & I). rewrite Forall_forall in H. specialize (H x X I). pose proof (size_arg o args x X). lia.
  - destruct o; cbn in I; intuition (subst; auto).
Qed.
Lemma inside_smaller u t : In u (folds_inside t) -> (size u < size t)%nat.
Proof.
  destruct t; try (intros []; fail). cbn [folds_inside]. intros I. apply in_flat_map in I as (x & X & I).
  apply folds_size in I. pose proof (size_arg o args x X). lia.
Qed.
Lemma folds_trans u t p : In u (folds t) -> In t (folds p) -> In u (folds p).
Proof.
  intros U. induction p using term_ind'; cbn [folds]; auto. intros T. apply in_app_or in T as [T|T].
  - apply in_or_app. left. apply in_flat_map in T as (x & X & T). apply in_flat_map. exists x. rewrite Forall_forall in H. auto.
  - destruct o; cbn in T; intuition (subst; auto).
Qed.
Lemma inside_folds u t p : In u (folds_inside t) -> In t (folds p) -> In u (folds p).
Proof.
  intros U T. apply (folds_trans u t); auto. destruct t; try destruct U. cbn [folds folds_inside] in *. apply in_or_app. now left.
Qed.
Lemma term_eqb_refl t : term_eqb t t = true.
Proof.
  induction t using term_ind'; cbn; rewrite ?ty_eqb_refl, ?andb_true_r; auto using Z.eqb_refl.
  - now destruct b. - apply String.eqb_refl. - now apply name_eqb_eq.
  - apply andb_true_iff. split; [|induction H; cbn; auto; now rewrite H].
    destruct o; cbn; rewrite ?String.eqb_refl, ?(proj2 (tys_eqb_eq _ _) eq_refl), ?ty_eqb_refl; auto using Z.eqb_refl, Nat.eqb_refl.
Qed.
Lemma existsb_term t l : existsb (term_eqb t) l = true <-> In t l.
Proof.
  rewrite existsb_exists. split.
  - intros (u & U & E). apply term_eqb_eq in E. now subst.
  - intros I. exists t. split; auto using term_eqb_refl.
Qed.

Theorem one_run how r p : runs how r p -> merges_ok p = true ->
  (forall t merge, In (t, merge) (ways p) -> has_one_value r t merge) -> returns how r p = meaning r (expression p).
Proof.
  intros RUN OK V. apply runs_alike, Forall_forall. 
  assert (W : forall n t, (size t < n)%nat -> In t (all_folds p) -> one_result how r t).
  { induction n as [|n IH]; [lia|]. intros t S T. 
    assert (C : forall f z l, exists merge, In (t, merge) (ways p) /\ may_return t f (merging how r merge) z l (how t f z l)).
    { intros f z l. destruct (RUN t f z l) as (merge & C & M). exists merge. split; auto. apply in_or_app. destruct C as [C|[-> C]]; auto.
      right. apply (in_map (fun t => (t, None))), filter_In. split; auto. unfold listed. apply negb_true_iff.
      destruct (existsb _ _) eqn:E; auto. apply existsb_term in E. tauto. }
    assert (U : forall u, In u (folds_inside t) -> one_result how r u).
    { intros u U. apply IH; [apply inside_smaller in U; lia|]. apply in_app_or in T as [T|T]; apply in_or_app.
      - left. now apply (inside_folds u t).
      - right. apply in_flat_map in T as (tm & TM & T). apply in_flat_map. exists tm. split; auto. now apply (inside_folds u t). }
    assert (G : forall merge, In (t, merge) (ways p) -> forall g, merge = Some g -> forall e a, run how r e a g = eval r e a g).
    { intros merge M g ->. apply runs_alike, Forall_forall. intros u UG. apply U. apply in_app_or in M as [M|M].
      - unfold merges_ok in OK. rewrite forallb_forall in OK. specialize (OK _ M). cbn [fst snd] in OK. rewrite forallb_forall in OK. now apply existsb_term, OK.
      - apply in_map_iff in M as (? & [=] & _). }
    apply one_result_of. intros f z l. destruct (C f z l) as (merge & M & X). exists merge. split; [now apply V|]. split; auto. now apply G. }
  intros t T. apply (W (Datatypes.S (size t))); [lia|]. apply in_or_app. now left.
Qed.
